import { caps } from '../../engine/values/caps'
import type { BlockEditorProps } from '../../src/text/blockEditor'
import { BlockForm } from '../../src/text/form/BlockForm'
import { MediaField } from '../../src/text/form/MediaField'
import { DynamicField } from '../../src/text/form/textFields'
import { type AudioData, audioSchema } from './schema'

export default function AudioEditor(props: BlockEditorProps<AudioData>) {
  return (
    <BlockForm editor={props} schema={audioSchema}>
      <MediaField name="url" medium="audio" max={caps.url} />
      <DynamicField name="caption" max={caps.caption} multiline />
    </BlockForm>
  )
}
