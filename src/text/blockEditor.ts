import type { FlowDocument } from '../../engine/document/flowDocument'
import type { Json } from '../../engine/values/json'

/**
 * Props of a kind's form: `blocks/<kind>/editor.tsx` default-exports a component with these. Mount it with
 * `key={blockId}`, inside a `FlowScopeProvider` (flowScope.ts), which names variables and groups.
 */
export interface BlockEditorProps<Data = Record<string, Json>> {
  blockId: string
  kind: string
  /** as stored in the document, even if the kind's schema refuses it */
  data: Data
  /** merges into the data in one transaction and one undo step (`commands.setBlockData(id, { ...data, ...patch })`) */
  setData: (patch: Partial<Data>) => void
  /** for rich texts, which are edited character by character, and for undo */
  document: Pick<FlowDocument, 'text' | 'undo' | 'commands'>
  readOnly: boolean
}
