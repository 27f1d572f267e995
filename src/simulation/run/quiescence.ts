/**
 * Turns of the event loop without activity after which a service counts as waiting. Between two port calls of one request, and
 * from a request's arrival to its first, there are microtasks and a handful of turns; this is several times more.
 */
const QUIET_TURNS = 12

/**
 * Waits until the service is idle: no port call is in progress, and none was started or answered for some turns of the event
 * loop. It reads no clock, so that the speed of the machine does not matter.
 *
 * @param signs a counter that grows with every activity of the service.
 * @param busy returns whether a response from outside this process is still due.
 */
export async function untilQuiet(signs: () => number, busy: () => boolean): Promise<void> {
  let seen = signs()
  for (let quiet = 0; quiet < QUIET_TURNS; quiet += 1) {
    await new Promise<void>((resolve) => {
      setImmediate(resolve)
    })
    const now = signs()
    if (now === seen && !busy()) continue
    seen = now
    quiet = -1
  }
}
