import type { BlockEditorProps } from '../../src/text/blockEditor'
import { BlockForm } from '../../src/text/form/BlockForm'
import { Details } from '../../src/text/form/Details'
import { LineField } from '../../src/text/form/LineField'
import { ListField } from '../../src/text/form/ListField'
import { VariableField } from '../../src/text/form/VariableField'
import { ToggleField } from '../../src/text/form/valueFields'
import { type IntentData, intentSchema, MAX_PHRASES, newPhrase } from './schema'

export default function IntentEditor(props: BlockEditorProps<IntentData>) {
  const { saveName, saveConfidence } = props.data
  return (
    <BlockForm editor={props} schema={intentSchema}>
      <LineField name="name" />
      <LineField name="description" />
      <ListField name="phrases" max={MAX_PHRASES} create={newPhrase} fixed>
        {(path) => <LineField name={`${path}.text`} hiddenLabel />}
      </ListField>
      <ToggleField name="global" />
      <ToggleField name="resumes" />
      <Details name="saved" open={saveName !== null || saveConfidence !== null}>
        <VariableField name="saveName" />
        <VariableField name="saveConfidence" />
      </Details>
    </BlockForm>
  )
}
