import type { Ignorer } from '@stryker-mutator/api/ignore'

/** As much of a Babel node as the rules look at. */
interface Node {
  readonly type: string
  readonly name?: string
  readonly value?: unknown
  readonly key?: Node
  readonly callee?: Node
  readonly object?: Node
  readonly property?: Node
}

interface Path {
  readonly node: Node
  readonly parent?: Node
  readonly listKey?: string
  readonly key?: string | number | null
}

/** Members of a route's schema that only the API document reads: answers are not validated, and §1-§9 name no document. */
const DOCUMENT_MEMBERS = new Set(['operationId', 'summary', 'security', 'response'])

/** Reasons, as the report prints them. */
const LOG = 'a line of the log'
const PROSE = "an error's prose for people"
const DOCUMENT = 'the API document'

/**
 * Leaves out what no clause speaks of: lines of the log, the text inside errors, and the API document. Only the text:
 * which error is thrown, and when, is mutated like everything else.
 */
export const silentPlaces: Ignorer = {
  shouldIgnore(path) {
    const { node, parent, listKey, key } = path as unknown as Path
    if (node.type === 'CallExpression' && isLogCall(node)) return LOG
    if (isText(node) && listKey === 'arguments') {
      if (parent?.type === 'NewExpression' && (parent.callee?.name ?? '').endsWith('Error')) return PROSE
      // The second argument of every PlumblineError is its advice, which no answer shows.
      if (parent?.type === 'CallExpression' && parent.callee?.type === 'Super' && key === 1) return PROSE
    }
    if (node.type === 'ObjectProperty' && DOCUMENT_MEMBERS.has(node.key?.name ?? '')) return DOCUMENT
    if (node.type === 'CallExpression' && node.callee?.property?.name === 'describe') return DOCUMENT
    return undefined
  },
}

function isText({ type }: Node): boolean {
  return type === 'StringLiteral' || type === 'TemplateLiteral'
}

function isLogCall({ callee }: Node): boolean {
  if (callee?.type !== 'MemberExpression') return false
  const { object, property } = callee
  const logger = object?.type === 'MemberExpression' ? object.property?.name : object?.name
  return logger === 'log' && ['info', 'warn', 'error'].includes(property?.name ?? '')
}
