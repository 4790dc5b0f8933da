export interface Mutant {
  path: string
  start: number
  end: number
  line: number
  before: string
  within: string | null
  from: string
  to: string
  kind: string
}
export function mutantsOf(path: string, text: string): Mutant[]
export function applied(text: string, mutant: Mutant): string
