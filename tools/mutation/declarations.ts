import ts from 'typescript'

/** A place in a source file, named so that the name survives a moved line. */
export interface Place {
  /** The names of the declarations around it, outermost first: `SqlStore.close`. Empty outside of any. */
  readonly within: string
  /** Which occurrence of its text inside the innermost declaration it is, from 1. */
  readonly nth: number
}

const parsed = new Map<string, ts.SourceFile>()

/**
 * @param start line and column from 1
 * @param original the text at that position
 */
export function placeOf(
  source: string,
  start: { readonly line: number; readonly column: number },
  original: string,
): Place {
  const file = parsed.get(source) ?? ts.createSourceFile('', source, ts.ScriptTarget.Latest, true)
  parsed.set(source, file)
  const position = file.getPositionOfLineAndCharacter(start.line - 1, start.column - 1)
  const names: string[] = []
  let from = 0
  const visit = (node: ts.Node): void => {
    if (position < node.getStart(file) || position >= node.getEnd()) return
    const name = nameOf(node, file)
    if (name !== null) {
      names.push(name)
      from = node.getStart(file)
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  let nth = 1
  let at = source.indexOf(original, from)
  while (at >= 0 && at < position) {
    nth += 1
    at = source.indexOf(original, at + 1)
  }
  return { within: names.join('.'), nth }
}

/** Functions, classes, their members, and the constants of a module have names; other nodes do not. */
function nameOf(node: ts.Node, file: ts.SourceFile): string | null {
  if (ts.isConstructorDeclaration(node)) return 'constructor'
  if (ts.isVariableDeclaration(node)) {
    const ofModule = node.parent.parent.parent === file
    return ofModule || isFunction(node.initializer) ? node.name.getText(file) : null
  }
  if (ts.isPropertyAssignment(node)) return isFunction(node.initializer) ? node.name.getText(file) : null
  const named =
    ts.isFunctionDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isPropertyDeclaration(node) ||
    ts.isGetAccessor(node)
  return named && node.name ? node.name.getText(file) : null
}

function isFunction(node: ts.Expression | undefined): boolean {
  return node !== undefined && (ts.isArrowFunction(node) || ts.isFunctionExpression(node))
}
