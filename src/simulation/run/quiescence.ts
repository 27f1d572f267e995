/**
 * Turns of the event loop without any sign of life after which a service is taken to wait. Between two port calls of one
 * request, and from a request's arrival to its first, lie microtasks and a handful of turns; this is several times more.
 */
const QUIET_TURNS = 12

/**
 * Waits until the service can do nothing by itself: no port call is under way, and none was made or answered for some
 * turns of the event loop. It reads no clock, so that how fast the machine is decides nothing.
 *
 * @param signs grows with whatever the service does.
 * @param busy whether something outside this process is still being waited for.
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
