import { acceptPresetNames } from '../../engine/values/acceptedFile'
import { caps } from '../../engine/values/caps'
import type { BlockEditorProps } from '../../src/text/blockEditor'
import { BlockForm } from '../../src/text/form/BlockForm'
import { FieldPair } from '../../src/text/form/FieldPair'
import { ListenFieldset } from '../../src/text/form/inputFields'
import { RichTextField } from '../../src/text/form/textFields'
import { VariableField } from '../../src/text/form/VariableField'
import { NumberField, SelectField, ToggleField } from '../../src/text/form/valueFields'
import { type FileUploadData, fileUploadSchema } from './schema'

export default function FileUploadEditor(props: BlockEditorProps<FileUploadData>) {
  return (
    <BlockForm editor={props} schema={fileUploadSchema}>
      <RichTextField name="prompt" max={caps.text} />
      <SelectField name="accept" options={acceptPresetNames} />
      <FieldPair>
        <NumberField name="maxSize" />
        <NumberField name="maxCount" />
      </FieldPair>
      <VariableField name="saveTo" />
      <ToggleField name="required" />
      <ListenFieldset />
    </BlockForm>
  )
}
