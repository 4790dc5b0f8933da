import type { FlowDocument } from '../../engine/document/flowDocument'
import type { Json } from '../../engine/values/json'

/**
 * What the side panel gives to a kind's form: `blocks/<kind>/editor.tsx` default-exports a component of these props. Mount it
 * with `key={blockId}`, inside a `FlowScopeProvider` (flowScope.ts), which names variables and groups.
 */
export interface BlockEditorProps<Data = Record<string, Json>> {
  blockId: string
  kind: string
  /** as the document holds it: what somebody typed stays, even where the kind's schema refuses it */
  data: Data
  /** merges into the data: one transaction, so one step of undo (`commands.setBlockData(id, { ...data, ...patch })`) */
  setData: (patch: Partial<Data>) => void
  /** for rich texts, which are edited character by character, and for undo */
  document: Pick<FlowDocument, 'text' | 'undo' | 'commands'>
  readOnly: boolean
}
