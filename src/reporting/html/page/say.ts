/** Announces to a screen reader what has happened. */
export function say(what: string): void {
  const place = document.getElementById('said')
  if (place) place.textContent = what
}
