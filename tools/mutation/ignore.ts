import type { Ignorer } from '@stryker-mutator/api/ignore'

/** The part of a Babel node that the rules read. */
interface Node {
  readonly type: string
  readonly name?: string
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

/** Members of a route's schema that only the API document reads; responses are not validated against it. */
const DOCUMENT_MEMBERS = new Set(['operationId', 'summary', 'security', 'response'])

/** Reasons, as Stryker's report prints them. */
const LOG = 'a log call'
const PROSE = 'the text of an error'
const DOCUMENT = 'the API document'

/**
 * Ignores what no clause covers: log calls, the text of errors, and the API document. Which error is thrown, and when, is
 * mutated like everything else.
 */
export const silentPlaces: Ignorer = {
  shouldIgnore(path) {
    const { node, parent, listKey, key } = path as unknown as Path
    if (node.type === 'CallExpression' && isLogCall(node)) return LOG
    if (isText(node) && listKey === 'arguments') {
      if (parent?.type === 'NewExpression' && (parent.callee?.name ?? '').endsWith('Error')) return PROSE
      // The second argument of every PlumblineError is its advice, which no response contains.
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
