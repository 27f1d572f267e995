import { stepAnchor } from '../../timeline/words.ts'
import type { PageData } from '../pageData.ts'
import { startCases } from './cases.ts'
import { open, startList } from './list.ts'
import { startSelfCheck } from './selfCheck.ts'

const THEME = 'plumbline-theme'

startTheme()
startCopying()
const data: PageData = JSON.parse(document.getElementById('data')?.textContent ?? '')
const cases = startCases(data)
const requirements = startList('requirements', (line) => {
  const title = line.closest('section')?.querySelector('h3')?.textContent ?? ''
  return `${title} ${line.textContent ?? ''}`
})
startTimelines()
startPrinting()
startLinks()
startSelfCheck(data.selfCheck)

/** Shows the page light or dark, like the system until the reader chooses. */
function startTheme(): void {
  const { dataset } = document.documentElement
  const chosen = stored()
  if (chosen !== null) dataset.theme = chosen
  document.querySelector('[data-theme-switch]')?.addEventListener('click', () => {
    const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
    const next = (dataset.theme ?? system) === 'dark' ? 'light' : 'dark'
    dataset.theme = next
    store(next)
  })
}

// A page on disk may be denied storage; then the choice lasts as long as the page.
function stored(): string | null {
  try {
    return localStorage.getItem(THEME)
  } catch {
    return null
  }
}

function store(theme: string): void {
  try {
    localStorage.setItem(THEME, theme)
  } catch {}
}

/** Makes every button with `data-copy` copy that text. */
function startCopying(): void {
  document.addEventListener('click', (event) => {
    const button = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-copy]') : null
    if (button) void copy(button, button.dataset.copy ?? '')
  })
}

async function copy(button: HTMLElement, text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    button.classList.add('copied')
    button.addEventListener('blur', () => button.classList.remove('copied'), { once: true })
    say('Copied')
  } catch {
    // The browser may deny the clipboard to pages on disk: then leave the text selected.
    const code = button.parentElement?.querySelector('pre')
    if (code) getSelection()?.selectAllChildren(code)
    say('Selected: copy it with the keyboard')
  }
}

/** Announces an event to screen readers. */
function say(what: string): void {
  const place = document.getElementById('said')
  if (place) place.textContent = what
}

/** Opens the step of a clicked line of a drawing. */
function startTimelines(): void {
  document.addEventListener('click', (event) => {
    const row = event.target instanceof Element ? event.target.closest<SVGElement>('[data-step]') : null
    const drawing = row?.closest<HTMLElement>('[data-timeline]')
    if (row && drawing) {
      open(document.getElementById(stepAnchor(drawing.dataset.timeline ?? '', row.dataset.step ?? '')))
    }
  })
}

/** Opens what is to be printed, and closes it afterwards: closed elements are not printed, regardless of the style sheet. */
function startPrinting(): void {
  let opened: HTMLDetailsElement[] = []
  addEventListener('beforeprint', () => {
    opened = [...document.querySelectorAll<HTMLDetailsElement>('details[data-print]:not([open])')]
    for (const one of opened) one.open = true
  })
  addEventListener('afterprint', () => {
    for (const one of opened) one.open = false
    opened = []
  })
}

/** Makes links within the page, and squares of the map, open their target, even if a filter hides it. */
function startLinks(): void {
  const follow = () => {
    const fragment = location.hash.slice(1)
    const line = document.getElementById(fragment) ?? document.getElementById(decode(fragment))
    if (line?.hidden) (line.closest('#cases-list') ? cases : requirements).filter('')
    open(line)
  }
  addEventListener('hashchange', follow)
  document.addEventListener('click', (event) => {
    if (!(event.target instanceof Element)) return
    const square = event.target.closest<HTMLElement>('[data-goto]')
    if (square) location.hash = `req-${encodeURIComponent(square.dataset.goto ?? '')}`
    const citing = event.target.closest<HTMLElement>('[data-show-cases]')
    if (citing) {
      cases.filter(citing.dataset.showCases ?? '')
      document.getElementById('cases')?.scrollIntoView()
    }
    // Following the same link again changes no address, and must still lead there.
    const link = event.target.closest('a')
    if (link?.hash && link.hash === location.hash) follow()
  })
  if (location.hash) follow()
}

function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}
