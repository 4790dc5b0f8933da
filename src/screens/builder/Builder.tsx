import { useQuery } from '@tanstack/react-query'
import { ReactFlowProvider } from '@xyflow/react'
import { useMemo } from 'react'
import { registry as kinds } from '../../../blocks/registry'
import { createIdSource } from '../../../engine/flow/ids'
import { uploadFile } from '../../api/files'
import { flowsQuery } from '../../api/flows'
import { ActionsProvider } from '../../canvas/actionRegistry'
import { createCanvasStore } from '../../canvas/canvasStore'
import { type Editor, EditorProvider } from '../../canvas/context'
import { useFlow, useReadOnly } from '../../collab/useFlow'
import { CommentsProvider } from '../../comments/useComments'
import { withNamedOutputs } from '../../i18n/phrases'
import { BuilderLayout } from './BuilderLayout'
import type { BuilderProps } from './builderProps'
import { RightsNotice } from './RightsNotice'

/** Its outputs have names in the language of the interface. */
const registry = withNamedOutputs(kinds)
const newId = createIdSource((count) => crypto.getRandomValues(new Uint8Array(count)))

/** The builder of an open flow: header, palette, canvas, settings of the selection, and the preview. */
export function Builder(props: BuilderProps) {
  const { document, presence, undo, redo } = useFlow()
  const readOnly = useReadOnly()
  const { data: flows } = useQuery(flowsQuery(props.pgid, props.chatbot.gid))
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was selected belongs to the flow that was open
  const store = useMemo(createCanvasStore, [document])
  const editor = useMemo<Editor>(
    () => ({
      document,
      registry,
      newId,
      readOnly,
      store,
      flowId: props.fid,
      ...(!readOnly && { uploadImage: (file: File) => uploadFile(props.pgid, file, 'image', UNWATCHED) }),
      presence,
      undo,
      redo,
    }),
    [document, presence, readOnly, store, props.fid, props.pgid, undo, redo],
  )
  return (
    <EditorProvider editor={editor} flows={flows}>
      <RightsNotice />
      <ActionsProvider>
        <ReactFlowProvider>
          <CommentsProvider pgid={props.pgid} cgid={props.chatbot.gid} fid={props.fid}>
            <BuilderLayout {...props} />
          </CommentsProvider>
        </ReactFlowProvider>
      </ActionsProvider>
    </EditorProvider>
  )
}

/** a pasted image is small, so its upload needs no progress */
const UNWATCHED = { onProgress: () => undefined, signal: new AbortController().signal }
