/** Counts the users of each block of a memory, so that values of a run reuse the blocks of values no longer needed. */

/** A block of memory, in floats. */
interface Room {
  readonly at: number;
  readonly size: number;
  users: number;
}

export interface Rooms {
  /** Adds a user to the block of an array; arrays outside of the memory are ignored. */
  readonly use: (data: ArrayBufferView) => void;
  /** Removes a user from the block of an array, and frees the block if that was the last one. */
  readonly leave: (data: ArrayBufferView) => void;
  /** Frees the blocks that were added since the last call and have no user. */
  readonly endStep: () => void;
  /** Takes a free block of exactly this size, or returns undefined. A run has few different sizes. */
  readonly again: (size: number) => number | undefined;
  /** Registers a block that was taken, without users. */
  readonly add: (at: number, size: number) => void;
  /** Forgets all blocks. */
  readonly clear: () => void;
}

/** `placeOf` returns where in the memory an array begins, or -1 if it is elsewhere. */
export function createRooms(placeOf: (data: ArrayBufferView) => number): Rooms {
  const inUse = new Map<number, Room>();
  const free = new Map<number, number[]>();
  let fresh: Room[] = [];
  const release = ({ at, size }: Room): void => {
    inUse.delete(at);
    const same = free.get(size);
    if (same === undefined) free.set(size, [at]);
    else same.push(at);
  };
  return {
    again: (size) => free.get(size)?.pop(),
    add: (at, size) => {
      const room = { at, size, users: 0 };
      inUse.set(at, room);
      fresh.push(room);
    },
    use: (data) => {
      const room = inUse.get(placeOf(data));
      if (room !== undefined) room.users += 1;
    },
    leave: (data) => {
      const room = inUse.get(placeOf(data));
      if (room === undefined) return;
      room.users -= 1;
      if (room.users === 0) release(room);
    },
    endStep: () => {
      for (const room of fresh) if (room.users === 0) release(room);
      fresh = [];
    },
    clear: () => {
      inUse.clear();
      free.clear();
      fresh = [];
    },
  };
}
