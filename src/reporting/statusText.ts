/** Returns the status of a response as text; 0: no response. */
export function statusText(status: number): string {
  return status === 0 ? 'no response' : `${status}`
}
