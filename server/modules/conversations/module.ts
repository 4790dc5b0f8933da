import { forgetUploads } from '../../platform/files/uploadQuotas'
import { defineModule } from '../../platform/modules/defineModule'
import { agents } from '../agents/module'
import { contacts } from '../contacts/module'
import { flows } from '../flows/module'
import { handOff } from '../handOff/module'
import { integrations } from '../integrations/module'
import { knowledge } from '../knowledge/module'
import { mails } from '../mails/module'
import { models } from '../models/module'
import { statistics } from '../statistics/module'
import { templates } from '../templates/module'
import { web } from '../web/module'
import { tellsBooking, tellsBookings } from './bookings/tellBookings'
import type { Channels } from './channels/channel'
import { registerChannels } from './channels/routes'
import { registerConsent } from './chat/consent'
import { registerEmbed } from './chat/embed'
import { createFrameBegin } from './chat/frameBegin'
import { registerLeaveMessage } from './chat/leaveMessage'
import { registerChat } from './chat/routes'
import { registerSharedPage } from './chat/sharedPage'
import { createStart } from './chat/startChat'
import { tellPublished } from './chat/tellPublished'
import { createVisitorLimits } from './chat/visitorLimits'
import { createAnswerMails } from './continuation/answerMails'
import { noteAnswers } from './continuation/noteAnswers'
import { createThreadKeys } from './continuation/threadKeys'
import { registerUnsubscribe } from './continuation/unsubscribe'
import { registerConversations } from './conversations/routes'
import { FORGET_FILES, forgetFiles, forgetUnsent } from './files/forgetFiles'
import { registerFiles } from './files/routes'
import { createReplyTo, readsMailboxes } from './inboundMail/inboxes'
import { createReceiveMail } from './inboundMail/receiveMail'
import { registerMailInbox } from './inboundMail/routes'
import { createRuntime } from './runtime/createRuntime'
import { createSentFiles } from './runtime/sentFiles'
import { registerSurvey } from './survey/routes'

const HOUR = 60 * 60_000

export const conversations = defineModule({
  name: 'conversations',
  purpose: 'carries out flows turn by turn, for visitors of the chat page',
  needs: { contacts, models, flows, templates, statistics, knowledge, agents, web, mails, handOff, integrations },
  tables: [
    'conversations',
    'runs',
    'participants',
    'messages',
    'deliveries',
    'effects',
    'turn_records',
    'recordings',
    'sent_files',
    'hand_offs',
    'turn_paths',
    'run_visits',
    'run_places',
    'place_visits',
    'visit_counts',
    'place_months',
    'visit_months',
    'survey_answers',
    'consents',
    'page_visits',
    'blocked_visitors',
    'mail_threads',
    'mail_refusals',
    'mail_inboxes',
    'inbound_mails',
    'conversation_merges',
  ],
  create(
    context,
    { flows: { documents }, mails: { send }, handOff: { leave }, web: { publications }, integrations: { bookingRows } },
  ) {
    const { files } = context
    const channels: Channels = new Map()
    const runtime = createRuntime({ ...context, drafts: documents.drafts }, undefined, undefined, undefined, channels)
    const sentFiles = createSentFiles(context, files)
    const visitorLimits = createVisitorLimits(context.limits)
    const start = createStart(context, runtime, visitorLimits)
    const keys = createThreadKeys(context.config)
    const mailed = createAnswerMails(context, { keys, send, replyTo: createReplyTo(context) })
    const receive = createReceiveMail(context, { runtime, files: sentFiles })
    return {
      provides: { runtime, channels, sentFiles, beginInFrame: createFrameBegin(context, start) },
      routes(app) {
        registerFiles(app, context, files)
        registerChannels(app, context, channels)
        registerConversations(app, context, runtime)
        registerChat(app, context, { channels, runtime, files: sentFiles, send, publications, visitorLimits, start })
        registerSharedPage(app, context)
        registerLeaveMessage(app, context, leave)
        registerSurvey(app, context, runtime)
        registerConsent(app, context, runtime)
        registerEmbed(app, context, runtime)
        registerUnsubscribe(app, context)
        registerMailInbox(app, context, { send, receive })
      },
      jobs: [...runtime.jobs, mailed, readsMailboxes(context, receive), tellsBooking(bookingRows, runtime)],
      consumers: [tellPublished(publications), noteAnswers(context, keys), tellsBookings(context)],
      sweeps: [
        ...runtime.sweeps,
        { kind: FORGET_FILES, every: HOUR, sweep: () => forgetFiles(context, files) },
        { kind: 'forget-unsent-files', every: HOUR / 12, sweep: () => forgetUnsent(context, files) },
        { kind: 'forget-uploads', every: HOUR, sweep: () => forgetUploads(context) },
      ],
      // continues turns that a previous process left unfinished
      open: runtime.recover,
      close: runtime.close,
    }
  },
})
