import { caps } from '../../engine/values/caps'
import type { BlockEditorProps } from '../../src/text/blockEditor'
import { BlockForm } from '../../src/text/form/BlockForm'
import { MediaField } from '../../src/text/form/MediaField'
import { DynamicField } from '../../src/text/form/textFields'
import { type ImageData, imageSchema } from './schema'

export default function ImageEditor(props: BlockEditorProps<ImageData>) {
  return (
    <BlockForm editor={props} schema={imageSchema}>
      <MediaField name="url" medium="image" max={caps.url} />
      <DynamicField name="alt" max={caps.alt} />
      <DynamicField name="link" max={caps.url} />
    </BlockForm>
  )
}
