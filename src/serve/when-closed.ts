/** Tells when an answer is read, or can no longer be. */
import type { ServerResponse } from "node:http";

/**
 * Calls `done` once, when the response or its connection is closed. Node.js does not tell it a response that still waits
 * behind another one of the same connection.
 */
export function whenClosed(response: ServerResponse, done: () => void): void {
  const { socket } = response.req;
  let isClosed = false;
  const close = (): void => {
    // Removing a listener does not stop an event that is under way.
    if (isClosed) return;
    isClosed = true;
    response.off("close", close);
    socket.off("close", close);
    done();
  };
  response.once("close", close);
  socket.once("close", close);
}
