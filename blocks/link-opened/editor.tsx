import type { BlockEditorProps } from '../../src/text/blockEditor'
import { BlockForm } from '../../src/text/form/BlockForm'
import { LineField } from '../../src/text/form/LineField'
import { VariableField } from '../../src/text/form/VariableField'
import { ToggleField } from '../../src/text/form/valueFields'
import { adFields, type LinkOpenedData, linkOpenedSchema } from './schema'

export default function LinkOpenedEditor(props: BlockEditorProps<LinkOpenedData>) {
  return (
    <BlockForm editor={props} schema={linkOpenedSchema}>
      <LineField name="text" />
      <ToggleField name="ads" />
      {props.data.ads && Object.values(adFields).map((name) => <VariableField key={name} name={name} />)}
    </BlockForm>
  )
}
