/** Parts of a path or a query that are shorter say something about the interface, and are no keys. */
const KEY_CHARACTERS_MIN = 8

/** Returns a URL as it may be shown: without its user and password. */
export function withoutCredentials(url: URL | string): URL {
  const shown = new URL(url)
  shown.username = ''
  shown.password = ''
  return shown
}

/** Returns the user and password of a URL, as they are written in it and as they are. */
export function credentialsOf(url: URL | string): readonly string[] {
  const { username, password } = new URL(url)
  const [user, word] = [decoded(username), decoded(password)]
  if (password === '') return [username, user].filter((each) => each !== '')
  return [password, word, `${user}:${word}`]
}

/** Returns what of a node's URL may be a key: its credentials, its path and query, and the longer parts of these. */
export function secretsOfNode(url: string): readonly string[] {
  if (!URL.canParse(url)) return [url]
  const { pathname, search } = new URL(url)
  const parts = `${pathname}${search}`.split(/[/?&=]/).filter((part) => part.length >= KEY_CHARACTERS_MIN)
  const whole = [`${pathname}${search}`, pathname, search].filter((part) => part.length > 1)
  return [...credentialsOf(url), ...whole, ...parts, ...parts.map(decoded)]
}

/** Returns a text of a URL without its escapes; as it is where they are malformed. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
