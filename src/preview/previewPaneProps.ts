import type { Languages } from '../../engine/translations/translation'
import type { Json } from '../../engine/values/json'
import type { Debugger } from './debugger'
import type { Step, StepNames } from './step'

export interface PreviewPaneProps {
  bug: Debugger
  name: string
  /** identity of the draft's content: if it differs from the start's, a restart is offered */
  draft: unknown
  /** resolves when the last edits are on the server */
  whenSaved: () => Promise<void>
  /** a step's names; null if its block is gone */
  describe: (step: Pick<Step, 'flowId' | 'groupId' | 'blockId' | 'kind' | 'port'>) => StepNames | null
  /** a breakpoint's block names; null if it is gone, or in a flow that is not open */
  nameOf: (place: { flowId: string | null; blockId: string }) => StepNames | null
  /** a flow's variables; null if unknown */
  variablesOf: (flowId: string | null) => readonly { id: string; name: string; value: Json }[] | null
  /** brings a block into view */
  onShow: (place: { flowId: string | null; blockId: string }) => void
  /** what the chatbot speaks; null: its main texts alone */
  languages: Languages | null
  /** the test waits in a flow that is not open */
  elsewhere: { title: string; onOpen: () => void } | null
  onClose: () => void
}
