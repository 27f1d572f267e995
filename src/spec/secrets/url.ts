/** Shorter parts of a path or a query belong to the interface, and are not keys. */
const KEY_CHARACTERS_MIN = 8

/** Returns a URL without its user and password, safe to show. */
export function withoutCredentials(url: URL | string): URL {
  const shown = new URL(url)
  shown.username = ''
  shown.password = ''
  return shown
}

/** Returns the user and password of a URL, encoded as in the URL and decoded. */
export function credentialsOf(url: URL | string): readonly string[] {
  const { username, password } = new URL(url)
  const [user, word] = [decoded(username), decoded(password)]
  if (password === '') return [username, user].filter((each) => each !== '')
  return [password, word, `${user}:${word}`]
}

/** Returns the parts of a node's URL that may be a key: its credentials, its path and query, and longer parts of these. */
export function secretsOfNode(url: string): readonly string[] {
  if (!URL.canParse(url)) return [url]
  const { pathname, search } = new URL(url)
  const parts = `${pathname}${search}`.split(/[/?&=]/).filter((part) => part.length >= KEY_CHARACTERS_MIN)
  const whole = [`${pathname}${search}`, pathname, search].filter((part) => part.length > 1)
  return [...credentialsOf(url), ...whole, ...parts, ...parts.map(decoded)]
}

/** Returns a text of a URL decoded, or unchanged if its escapes are malformed. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
