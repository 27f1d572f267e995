import { stepAnchor } from '../../timeline/words.ts'
import { open } from './cases.ts'

/** A click on a line of a drawing opens its step. */
export function startTimelines(): void {
  document.addEventListener('click', (event) => {
    const row = event.target instanceof Element ? event.target.closest<SVGElement>('[data-step]') : null
    const drawing = row?.closest<HTMLElement>('[data-timeline]')
    if (row && drawing) {
      open(document.getElementById(stepAnchor(drawing.dataset.timeline ?? '', row.dataset.step ?? '')))
    }
  })
}
