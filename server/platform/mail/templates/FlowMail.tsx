import type { RenderedRichText } from '../../../../engine/values/richText'
import { Layout } from './Layout'
import { Paragraphs } from './Paragraphs'

/** Only what an editor wrote in a send-email block: it goes to the editor's customers. */
export function FlowMail({ body }: { body: RenderedRichText }) {
  return (
    <Layout preview="">
      <Paragraphs body={body} />
    </Layout>
  )
}
