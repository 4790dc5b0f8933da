import type { BlockEditorProps } from '../../src/text/blockEditor'
import { BlockForm } from '../../src/text/form/BlockForm'
import { ListenFieldset } from '../../src/text/form/inputFields'
import { TemplateField } from '../../src/text/form/TemplateField'
import { VariableField } from '../../src/text/form/VariableField'
import { MOST_VALUE, type WhatsappTemplateData, whatsappTemplateSchema } from './schema'

export default function WhatsappTemplateEditor(props: BlockEditorProps<WhatsappTemplateData>) {
  const { replies } = props.data
  return (
    <BlockForm editor={props} schema={whatsappTemplateSchema}>
      <TemplateField name="template" max={MOST_VALUE} />
      {replies.length > 0 && (
        <>
          <VariableField name="saveTo" />
          <ListenFieldset />
        </>
      )}
    </BlockForm>
  )
}
