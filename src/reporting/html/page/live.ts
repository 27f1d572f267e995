import type { PageChange } from '../../report/campaign.ts'
import { say } from './say.ts'

/** A server that says nothing for so long is gone: it speaks every second, or once a database did not respond for ten. */
const SILENT_MS = 20_000
/** Between two tries to reach it. */
const AGAIN_MS = 1_000

/** A page that shows what its server sends, and says when the server does not respond. */
export function startLive(live: { readonly page: string } | undefined): void {
  if (live === undefined) return
  let silence = 0
  const connect = () => {
    const source = new EventSource('events')
    const again = (delayMs: number) => {
      clearTimeout(silence)
      silence = window.setTimeout(() => {
        source.close()
        setLost(true)
        connect()
      }, delayMs)
    }
    const hear = () => {
      setLost(false)
      again(SILENT_MS)
    }
    source.addEventListener('here', hear)
    source.addEventListener('change', ({ data }: MessageEvent<string>) => {
      const change = JSON.parse(data) as PageChange
      // Another watch has taken the address.
      if (change.page !== live.page) return location.reload()
      apply(change)
      hear()
    })
    source.addEventListener('error', () => {
      setLost(true)
      again(AGAIN_MS)
    })
    again(SILENT_MS)
  }
  connect()
}

function setLost(isLost: boolean): void {
  const notice = document.querySelector<HTMLElement>('[data-lost]')
  if (notice !== null && notice.hidden === isLost) notice.hidden = !isLost
}

function apply({ order, parts }: PageChange): void {
  const place = document.querySelector('[data-live]')
  if (place === null) return
  const known = new Map(
    [...place.querySelectorAll<HTMLElement>(':scope > [data-part]')].map((part) => [part.dataset.part, part]),
  )
  let before: Element | null = null
  for (const id of order) {
    const part: HTMLElement = known.get(id) ?? document.createElement('div')
    const markup = parts[id]
    if (markup !== undefined) {
      part.dataset.part = id
      fill(part, markup)
    }
    const next: Element | null = before === null ? place.firstElementChild : before.nextElementSibling
    // What is moved loses its focus, so only what is elsewhere is.
    if (next !== part) place.insertBefore(part, next)
    if (!known.has(id) && id.startsWith('failure-')) say('A new way of failing was found.')
    known.delete(id)
    before = part
  }
  for (const gone of known.values()) gone.remove()
}

/** Replaces a part; what its reader had closed stays closed, and the focus where it was. */
function fill(part: HTMLElement, markup: string): void {
  const focusable = () => [...part.querySelectorAll<HTMLElement>('a, button, summary, [tabindex]')]
  const focused = focusable().indexOf(document.activeElement as HTMLElement)
  const isOpen = [...part.querySelectorAll('details')].map(({ open }) => open)
  // The server has escaped every value in it, and no script in it would run.
  part.innerHTML = markup
  for (const [index, details] of part.querySelectorAll('details').entries())
    details.open = isOpen[index] ?? details.open
  if (focused >= 0) focusable()[focused]?.focus({ preventScroll: true })
}
