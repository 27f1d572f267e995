/**
 * Shares a read among concurrent callers with the same key: at most one is in progress and one starts after it. No caller gets
 * data read before its call: a caller that arrives during a read gets the next one.
 */
export function sharedReads<Value>(): (key: string, read: () => Promise<Value>) => Promise<Value> {
  const current = new Map<string, Promise<Value>>()
  const following = new Map<string, Promise<Value>>()
  const begin = (key: string, read: () => Promise<Value>): Promise<Value> => {
    const value = read()
    current.set(key, value)
    const forget = () => {
      if (!following.has(key)) current.delete(key)
    }
    value.then(forget, forget)
    return value
  }
  return (key, read) => {
    const known = following.get(key)
    if (known !== undefined) return known
    const running = current.get(key)
    if (running === undefined) return begin(key, read)
    const start = () => {
      following.delete(key)
      return begin(key, read)
    }
    const next = running.then(start, start)
    following.set(key, next)
    return next
  }
}
