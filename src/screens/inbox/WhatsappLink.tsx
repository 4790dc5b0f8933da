import { useMutation, useQuery } from '@tanstack/react-query'
import { Globe, MessageCircleReply } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { InboxConversation } from '../../../server/contracts/inbox'
import { offerWeb, offerWhatsapp } from '../../../server/contracts/whatsappContinuation'
import { channelsQuery } from '../../api/channels'
import { callRoute } from '../../api/client'
import { failureText } from '../../api/failure'
import { IconButton } from '../../ui/IconButton'
import { notify } from '../../ui/notify'
import { useInboxPlace } from './inboxPlace'

interface WhatsappLinkProps {
  conversation: InboxConversation
  onMade: (link: string) => void
}

/**
 * Puts a link into the reply by which a visitor of the web goes on at WhatsApp, where the chatbot has a number, or
 * somebody at WhatsApp on the web.
 */
export function WhatsappLink(props: WhatsappLinkProps) {
  const { channel, environment } = props.conversation
  if (channel === 'whatsapp') return <OfferWeb {...props} />
  return channel === 'web' && (environment === 'production' || environment === 'sharing') ? <Offer {...props} /> : null
}

function Offer({ conversation: { gid, chatbot }, onMade }: WhatsappLinkProps) {
  const { t } = useTranslation('inbox')
  const { pgid } = useInboxPlace()
  // who may not see the builder is not told of channels: they have no button then
  const { data } = useQuery({ ...channelsQuery(pgid, chatbot.gid), retry: false })
  const offer = useMutation({
    mutationFn: () => callRoute(offerWhatsapp, { params: { pgid, conversation: gid } }),
    onSuccess: ({ link }) => onMade(link),
    onError: (error) => notify.error(failureText(error, t('reply.noLink'))),
  })
  if (!data?.channels.includes('whatsapp')) return null
  return (
    <IconButton
      size="s"
      label={t('reply.toWhatsapp')}
      icon={<MessageCircleReply size={15} />}
      disabled={offer.isPending}
      onClick={() => offer.mutate()}
    />
  )
}

function OfferWeb({ conversation: { gid }, onMade }: WhatsappLinkProps) {
  const { t } = useTranslation('inbox')
  const { pgid } = useInboxPlace()
  const offer = useMutation({
    mutationFn: () => callRoute(offerWeb, { params: { pgid, conversation: gid } }),
    onSuccess: ({ link }) => onMade(link),
    onError: (error) => notify.error(failureText(error, t('reply.noLink'))),
  })
  return (
    <IconButton
      size="s"
      label={t('reply.toWeb')}
      icon={<Globe size={15} />}
      disabled={offer.isPending}
      onClick={() => offer.mutate()}
    />
  )
}
