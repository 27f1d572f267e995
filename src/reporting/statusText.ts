/** Returns the status of a response as it is shown; 0: there is none. */
export function statusText(status: number): string {
  return status === 0 ? 'no response' : `${status}`
}
