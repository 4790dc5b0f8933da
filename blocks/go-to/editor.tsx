import type { BlockEditorProps } from '../../src/text/blockEditor'
import { BlockForm } from '../../src/text/form/BlockForm'
import { GroupField } from '../../src/text/form/GroupField'
import { type GoToData, goToSchema } from './schema'

export default function GoToEditor(props: BlockEditorProps<GoToData>) {
  return (
    <BlockForm editor={props} schema={goToSchema}>
      <GroupField name="target" />
    </BlockForm>
  )
}
