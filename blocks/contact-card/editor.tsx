import { caps, contactCaps } from '../../engine/values/caps'
import type { BlockEditorProps } from '../../src/text/blockEditor'
import { BlockForm } from '../../src/text/form/BlockForm'
import { DynamicField } from '../../src/text/form/textFields'
import { type ContactCardData, contactCardSchema } from './schema'

export default function ContactCardEditor(props: BlockEditorProps<ContactCardData>) {
  return (
    <BlockForm editor={props} schema={contactCardSchema}>
      <DynamicField name="name" max={contactCaps.name} />
      <DynamicField name="phone" max={contactCaps.phone} />
      <DynamicField name="email" max={caps.email} />
      <DynamicField name="company" max={contactCaps.company} />
      <DynamicField name="url" max={caps.url} />
    </BlockForm>
  )
}
