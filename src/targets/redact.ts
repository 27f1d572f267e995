const BEARER = /(Bearer\s+)[^\s"'\\]+/gi

/** A function that takes these secrets, and whatever follows `Bearer`, out of a text. */
export function redactorOf(secrets: readonly string[]): (text: string) => string {
  const longestFirst = [...secrets].sort((one, other) => other.length - one.length)
  return (text) =>
    longestFirst
      .reduce((rest, secret) => rest.replaceAll(secret, '<redacted>'), text)
      .replaceAll(BEARER, (found, word: string) =>
        found.includes('$PLUMBLINE_KEY') || found.includes('<') ? found : `${word}<redacted>`,
      )
}
