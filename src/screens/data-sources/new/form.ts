import type { ChatbotPlace } from '../../../api/sources'

/** What each form of a new source is given. */
export interface NewSourceProps {
  place: ChatbotPlace
  /** told whether something would be lost if one left */
  onUnsaved: (unsaved: boolean) => void
  /** all is added: on to the list */
  onDone: () => void
}

/** What somebody wrote one a line; empty lines are none. */
export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** What is wrong with entries of a list, by their places in it: `urls.3` is the fourth. */
export function listProblems(
  fields: Readonly<Record<string, string>>,
  name: string,
): [index: number, problem: string][] {
  return Object.entries(fields).flatMap(([field, problem]): [number, string][] => {
    const index = field.startsWith(`${name}.`) ? Number(field.slice(name.length + 1)) : Number.NaN
    return Number.isInteger(index) ? [[index, problem]] : []
  })
}
