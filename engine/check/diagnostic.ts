import type { FlowCommands } from '../document/commands'
import type { EdgeTarget } from '../flow/schema'
import type { ProblemCode, ReasonCode, RemedyCode, Severity } from './texts'

/** A finding of the checker about one place of a flow. Plain data without texts; describeDiagnostic adds those. */
export interface Diagnostic {
  readonly code: ProblemCode
  readonly severity: Severity
  readonly place: Place
  /** values for the text, besides the place */
  readonly values: Readonly<Record<string, Value>>
  readonly remedy?: Remedy
}

/** As specific as possible. */
export interface Place {
  readonly groupId?: string
  readonly blockId?: string
  readonly portId?: string
  /** a field of the block's data: `options.0.label` */
  readonly path?: string
  readonly variableId?: string
  readonly edge?: { readonly from: { readonly blockId: string; readonly portId: string }; readonly to: EdgeTarget }
}

/** Literal text, or a part of the flow by its id: its current name is looked up when the text is rendered. */
export type Value =
  | string
  | number
  | { readonly group: string }
  | { readonly block: string }
  | { readonly variable: string }
  | { readonly flow: string }
  | { readonly steps: readonly PathStep[] }
  | Reason

/** Why a problem can occur, with the values for its text (reasonTexts). */
export interface Reason {
  readonly because: ReasonCode
  readonly times?: number
  readonly blockId?: string
  readonly steps?: readonly PathStep[]
}

/** A block on a path through the flow, and the port it is left by if that is informative. */
export interface PathStep {
  readonly groupId: string
  readonly blockId: string
  readonly portId?: string
}

/** A fix: commands of the document, applied as one undo step. */
export interface Remedy {
  readonly code: RemedyCode
  readonly commands: readonly FlowCommand[]
  /** for `create-secret`: the secret's name. Secrets belong to the project, so no document command creates one */
  readonly secret?: string
  /** for `save-secret`: where the secret stands in plain text. It is saved in the project before a chip replaces it */
  readonly plain?: { readonly blockId: string; readonly path: string }
  /** for `open-translations`: into which language */
  readonly language?: string
}

type CommandName = Exclude<keyof FlowCommands, 'batch' | 'typing'>
/** A call of a document command as plain data. */
export type FlowCommand = {
  [Name in CommandName]: { readonly name: Name; readonly args: Readonly<Parameters<FlowCommands[Name]>> }
}[CommandName]

/** Applies a remedy in one transaction and one undo step. Commands on missing parts do nothing. */
export function applyRemedy(commands: FlowCommands, remedy: Remedy): void {
  commands.batch(() => {
    for (const { name, args } of remedy.commands) (commands[name] as (...args: readonly unknown[]) => void)(...args)
  })
}
