import { type CaseList, open } from './cases.ts'

/** Links within the page open what they lead to; so do the squares of the map. */
export function startLinks(cases: CaseList): void {
  const follow = () => {
    const fragment = decode(location.hash.slice(1))
    const [kind, id] = [fragment.split('-', 1)[0], fragment.slice(fragment.indexOf('-') + 1)]
    if (kind === 'case' && cases.reveal(id)) return
    open(document.getElementById(location.hash.slice(1)) ?? document.getElementById(fragment))
  }
  addEventListener('hashchange', follow)
  document.addEventListener('click', (event) => {
    if (!(event.target instanceof Element)) return
    const square = event.target.closest<HTMLElement>('[data-goto]')
    if (square) location.hash = `req-${encodeURIComponent(square.dataset.goto ?? '')}`
    const citing = event.target.closest<HTMLElement>('[data-show-cases]')
    if (citing) cases.citing(citing.dataset.showCases ?? '')
    // The same link a second time changes no address, and still has to lead there.
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
