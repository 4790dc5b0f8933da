import type { TFunction } from 'i18next'

/** What entries are about: the parts of their types before the dot. */
export const auditSubjects = [
  'action',
  'actions',
  'ai',
  'allowed_addresses',
  'apiKey',
  'chatbot',
  'connection',
  'contact',
  'contact_fields',
  'contact_import',
  'contacts',
  'conversation',
  'crawl',
  'domain',
  'export',
  'feed',
  'flow',
  'housekeeping',
  'identity_secret',
  'instructions',
  'integration',
  'invitation',
  'knowledge',
  'label',
  'lead',
  'local_model',
  'look',
  'member',
  'messageApi',
  'networks',
  'notification_settings',
  'notifications',
  'office',
  'person',
  'plan',
  'project',
  'retention',
  'sandbox',
  'savedReply',
  'secret',
  'segment',
  'sharedView',
  'sign_on',
  'sources',
  'team',
  'toolServer',
  'version',
  'visitor',
  'web_settings',
  'webhook',
  'webhookTrigger',
  'weekly_guest',
  'weekly_mail',
  'whatsapp',
] as const

/** An entry's type in words, as “Chatbot: changed”. One that has no words, of an older program, stands as it is. */
export function entryName(t: TFunction<'auditLog'>, type: string): string {
  const [subject = '', verb = ''] = type.split('.')
  const said = t(`subjects.${subject}` as never, { defaultValue: '' }) as string
  const done = t(`verbs.${verb}` as never, { defaultValue: '' }) as string
  return said && done ? t('entry', { subject: said, verb: done }) : type
}
