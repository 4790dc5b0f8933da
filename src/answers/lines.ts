/** The lines of a text, without empty ones. */
export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** The server's errors of list entries by index: `urls.3` is the fourth. */
export function listProblems(
  fields: Readonly<Record<string, string>>,
  name: string,
): [index: number, problem: string][] {
  return Object.entries(fields).flatMap(([field, problem]): [number, string][] => {
    const index = field.startsWith(`${name}.`) ? Number(field.slice(name.length + 1)) : Number.NaN
    return Number.isInteger(index) ? [[index, problem]] : []
  })
}
