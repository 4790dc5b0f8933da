import { useTranslation } from 'react-i18next'
import { caps } from '../../engine/values/caps'
import { staticValue } from '../../engine/values/dynamicValue'
import type { BlockEditorProps } from '../../src/text/blockEditor'
import { useFlowScope } from '../../src/text/flowScope'
import { BlockForm } from '../../src/text/form/BlockForm'
import { Details } from '../../src/text/form/Details'
import { FormNote } from '../../src/text/form/FormNote'
import { ListField } from '../../src/text/form/ListField'
import { DynamicField, RichTextField } from '../../src/text/form/textFields'
import { MAX_ADDRESSES, type SendEmailData, sendEmailSchema } from './schema'

export default function SendEmailEditor(props: BlockEditorProps<SendEmailData>) {
  const { t } = useTranslation('blocks')
  const { mailServer } = useFlowScope()
  const { cc, bcc, replyTo } = props.data
  return (
    <BlockForm editor={props} schema={sendEmailSchema}>
      {mailServer === false && <FormNote>{t('send-email.noServer')}</FormNote>}
      <AddressesField name="to" />
      <DynamicField name="subject" max={caps.mailSubject} />
      <RichTextField name="body" max={caps.text} />
      <DynamicField name="fromName" max={caps.mailAddress} />
      <Details name="more" open={cc.length + bcc.length + replyTo.length > 0}>
        <AddressesField name="cc" />
        <AddressesField name="bcc" />
        <AddressesField name="replyTo" />
      </Details>
    </BlockForm>
  )
}

function AddressesField({ name }: { name: 'to' | 'cc' | 'bcc' | 'replyTo' }) {
  return (
    <ListField name={name} max={MAX_ADDRESSES} create={(id) => ({ id: id(), address: staticValue('') })} fixed>
      {(path) => <DynamicField name={`${path}.address`} max={caps.mailAddress} hiddenLabel />}
    </ListField>
  )
}
