/** Keeps who uses which room of a memory: a run needs as much as its values at one time, and not all of them together. */

interface Room {
  readonly at: number;
  readonly size: number;
  users: number;
}

export interface Rooms {
  /** One more value has its numbers in this array, which may be anywhere. */
  readonly use: (data: ArrayBufferView) => void;
  /** One value less. Where it was the last one, others may take the room. */
  readonly leave: (data: ArrayBufferView) => void;
  /** Frees what was taken since the last call and has no user. */
  readonly endStep: () => void;
  /** Where there is room of exactly this size: the sizes of a run are few. */
  readonly again: (size: number) => number | undefined;
  readonly add: (at: number, size: number) => void;
  readonly clear: () => void;
}

/** `placeOf` tells where an array begins, or -1 where it is elsewhere. */
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
