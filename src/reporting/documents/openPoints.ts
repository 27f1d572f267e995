import { shortenText } from '../../spec/cutText.ts'
import type { Exchange } from '../../spec/exchange.ts'
import { type Block, code, list, paragraph, section, strong, type Text, table } from '../document/model.ts'
import { caseRef, requirementRef } from '../document/references.ts'
import { MIXED, type ReportPoint } from '../openPoints.ts'
import { plural } from '../plural.ts'
import type { Report } from '../report/model.ts'
import { statusText } from '../statusText.ts'

type WithPoints = Pick<Report, 'openPoints'>

/** Returns the target's behaviour at each point that the specification leaves open; never a failure. */
export function openPointBlocks({ openPoints }: WithPoints): readonly Block[] {
  if (openPoints.length === 0) return []
  const rows = openPoints.map(({ name, requirement, section: of, situation, answer }): readonly Text[] => [
    [requirementRef(requirement), name.slice(requirement.length), ` §${of}: ${situation}`],
    answer === null ? 'not observed' : answer === MIXED ? [strong(answer, 'open')] : [code(answer)],
  ])
  return [
    section('What the specification leaves open', [
      paragraph(
        `${plural(openPoints.length, 'point')}, and what this service does there. Nothing here fails; docs/open-points.md has the answers of other services.`,
      ),
      ...mixedBlocks({ openPoints }),
      table('open points', ['point', 'answer'], rows),
    ]),
  ]
}

const CHARACTERS = 300

/** Returns the points at which the target behaves in more than one way, with an exchange for each. Empty: there are none. */
export function mixedBlocks({ openPoints }: WithPoints): readonly Block[] {
  const mixed = openPoints.filter(({ answer }) => answer === MIXED)
  if (mixed.length === 0) return []
  return [
    section(`${plural(mixed.length, 'open point')} answered in more than one way`, [
      list(mixed.map((point) => ({ blocks: [paragraph(...titleOf(point)), answersOf(point)] }))),
    ]),
  ]
}

function titleOf({ name, situation, answers }: ReportPoint): Exclude<Text, string> {
  return [
    strong(MIXED, 'open'),
    ' ',
    code(name),
    `, ${situation}: `,
    answers.map((one) => one.answer).join(', '),
  ]
}

function answersOf({ answers }: ReportPoint): Block {
  return list(
    answers.map(({ answer, case: id, exchange }) => ({
      blocks: [
        paragraph(
          code(answer),
          ' in ',
          caseRef(id),
          ...(exchange === null ? [] : [': ', ...lineOf(exchange)]),
        ),
      ],
    })),
  )
}

function lineOf({ request, response }: Exchange): Exclude<Text, string> {
  const body = request.body === null ? '' : ` ${request.body}`
  return [
    code(shortenText(`${request.method} ${request.path}${body}`, CHARACTERS)),
    ' → ',
    code(shortenText(`${statusText(response.status)} ${response.body}`, CHARACTERS)),
  ]
}
