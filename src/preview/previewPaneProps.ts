import type { Languages } from '../../engine/translations/translation'
import type { Json } from '../../engine/values/json'
import type { Debugger } from './debugger'
import type { Step, StepNames } from './step'

export interface PreviewPaneProps {
  bug: Debugger
  name: string
  /** identity of the draft's content: another one than at the start offers to start again */
  draft: unknown
  /** resolves once the last edits are on the server */
  whenSaved: () => Promise<void>
  /** what a step is called; null when its block is gone */
  describe: (step: Pick<Step, 'flowId' | 'groupId' | 'blockId' | 'kind' | 'port'>) => StepNames | null
  /** what a breakpoint's block is called; null when it is gone, or in a flow that is not open */
  nameOf: (place: { flowId: string | null; blockId: string }) => StepNames | null
  /** a flow's variables; null where they are not known */
  variablesOf: (flowId: string | null) => readonly { id: string; name: string; value: Json }[] | null
  /** brings a block into view */
  onShow: (place: { flowId: string | null; blockId: string }) => void
  /** what the chatbot speaks; null: its main texts alone */
  languages: Languages | null
  /** the test waits in a flow that is not open */
  elsewhere: { title: string; onOpen: () => void } | null
  onClose: () => void
}
