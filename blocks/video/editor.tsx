import { caps } from '../../engine/values/caps'
import type { BlockEditorProps } from '../../src/text/blockEditor'
import { BlockForm } from '../../src/text/form/BlockForm'
import { MediaField } from '../../src/text/form/MediaField'
import { DynamicField } from '../../src/text/form/textFields'
import { type VideoData, videoSchema } from './schema'

export default function VideoEditor(props: BlockEditorProps<VideoData>) {
  return (
    <BlockForm editor={props} schema={videoSchema}>
      <MediaField name="url" medium="video" max={caps.url} />
      <DynamicField name="caption" max={caps.caption} multiline />
    </BlockForm>
  )
}
