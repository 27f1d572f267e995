import {
  type Block,
  list,
  paragraph,
  section,
  strong,
  type Text,
  table,
} from '../../src/reporting/document/model.ts'
import { toHtml } from '../../src/reporting/html/document.ts'
import { html } from '../../src/reporting/html/markup.ts'
import { renderPage } from '../../src/reporting/html/shell.ts'
import type { Outcome } from './losses.ts'

/** The outcomes of one client at one service. */
export interface Cell {
  readonly service: string
  readonly client: string
  readonly outcomes: readonly (Outcome & { readonly situation: string })[]
}

export interface Grid {
  readonly clients: readonly string[]
  readonly services: readonly { readonly name: string; readonly title: string }[]
  readonly cells: readonly Cell[]
}

/** Returns the parties that lost in a cell, in any situation. */
export function losersOf({ outcomes }: Cell): readonly ('user' | 'partner')[] {
  return (['user', 'partner'] as const).filter((who) => outcomes.some((outcome) => outcome[who] !== null))
}

function verdictOf(cell: Cell): Text {
  const losers = losersOf(cell)
  if (losers.length === 0) return [strong('nobody', 'good')]
  return [strong(losers.join(' and '), losers.includes('user') ? 'bad' : 'open')]
}

/** Returns the grid as a table, and the number of losses. */
export function gridBlocks({ clients, services, cells }: Grid): readonly Block[] {
  const at = (service: string, client: string) =>
    cells.find((cell) => cell.service === service && cell.client === client)
  const count = (who: 'user' | 'partner') => cells.filter((cell) => losersOf(cell).includes(who)).length
  const unharmed = cells.filter((cell) => losersOf(cell).length === 0).length
  return [
    table(
      'who lost what',
      ['service', 'what it does', ...clients],
      services.map(({ name, title }) => [
        ...[name, title],
        ...clients.map((client) => {
          const cell = at(name, client)
          return cell === undefined ? '' : verdictOf(cell)
        }),
      ]),
    ),
    paragraph(
      `${cells.length} cells: the user lost in ${count('user')}, the partner in ${count('partner')}, nobody in ${unharmed}.`,
    ),
  ]
}

export function gridPage(grid: Grid): string {
  const { services, cells } = grid
  const details = services.map(({ name, title }) =>
    section(`${name}: ${title}`, [list(cells.filter(({ service }) => service === name).flatMap(linesOf))]),
  )
  return renderPage({
    ...{ title: 'Clients by services', about: 'clients by services', isWide: true },
    contents: [
      ['grid', 'Who lost what', cells.length],
      ['cells', 'Each cell', services.length],
    ],
    main: html`<h1>Who lost what</h1><section id="grid">${toHtml(gridBlocks(grid), 2)}</section><section id="cells"><h2>Each cell</h2>${toHtml(details, 3)}</section>`,
  })
}

function linesOf({ client, outcomes }: Cell): readonly Text[] {
  return outcomes.map(({ situation, ending, user, partner }) => [
    `${client}, ${situation}: ${ending}. `,
    ...(user === null ? [] : [strong(`The user lost ${user}. `, 'bad')]),
    ...(partner === null ? [] : [strong(`The partner lost ${partner}.`, 'open')]),
    ...((user ?? partner) === null ? [strong('Nobody lost anything.', 'good')] : []),
  ])
}
