import { useTranslation } from 'react-i18next'
import { MAX_TEAM } from '../../engine/flow/handOver'
import { caps } from '../../engine/values/caps'
import { staticValue } from '../../engine/values/dynamicValue'
import type { BlockEditorProps } from '../../src/text/blockEditor'
import { useFlowScope } from '../../src/text/flowScope'
import { BlockForm } from '../../src/text/form/BlockForm'
import { FormNote } from '../../src/text/form/FormNote'
import { ListField } from '../../src/text/form/ListField'
import { DynamicField, RichTextField } from '../../src/text/form/textFields'
import { VariableField } from '../../src/text/form/VariableField'
import { type HandOffData, handOffSchema } from './schema'

export default function HandOffEditor(props: BlockEditorProps<HandOffData>) {
  const { t } = useTranslation('blocks')
  const { mailServer } = useFlowScope()
  return (
    <BlockForm editor={props} schema={handOffSchema}>
      {mailServer === false && <FormNote>{t('hand-off.noServer')}</FormNote>}
      <RichTextField name="message" max={caps.text} />
      <VariableField name="emailId" />
      <RichTextField name="prompt" max={caps.text} />
      <ListField name="to" max={MAX_TEAM} create={(id) => ({ id: id(), address: staticValue('') })} fixed>
        {(path) => <DynamicField name={`${path}.address`} max={caps.mailAddress} hiddenLabel />}
      </ListField>
      <DynamicField name="team" max={caps.label} />
      <DynamicField name="note" max={caps.setVariable} multiline />
    </BlockForm>
  )
}
