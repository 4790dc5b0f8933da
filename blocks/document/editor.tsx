import { caps } from '../../engine/values/caps'
import type { BlockEditorProps } from '../../src/text/blockEditor'
import { BlockForm } from '../../src/text/form/BlockForm'
import { MediaField } from '../../src/text/form/MediaField'
import { DynamicField } from '../../src/text/form/textFields'
import { type DocumentData, documentSchema, MOST_NAME } from './schema'

export default function DocumentEditor(props: BlockEditorProps<DocumentData>) {
  return (
    <BlockForm editor={props} schema={documentSchema}>
      <MediaField name="url" medium="document" max={caps.url} />
      <DynamicField name="name" max={MOST_NAME} />
      <DynamicField name="caption" max={caps.caption} multiline />
    </BlockForm>
  )
}
