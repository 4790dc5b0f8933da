export interface CheckResult {
  passed: boolean
  output: string
}
export function call(name: string, args: string[], cwd?: string): Promise<CheckResult>
export function checkTypes(zone: string, folder?: string): Promise<CheckResult>
export function checkImports(folder?: string, fewest?: number): Promise<CheckResult>
export function checkReaders(folder?: string): Promise<CheckResult>
export function checkComments(folder?: string): Promise<CheckResult>
