/** Says no to a request, with the status of HTTP and a sentence for the person at the browser. */
export class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}
