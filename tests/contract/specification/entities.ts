import { aiResponseSchema } from '../../../engine/flow/conversation'
import { leadFields } from '../../../engine/values/agentActions'
import { widgetLanguages } from '../../../engine/values/languages'
import { addons } from '../../../server/access/addons'
import {
  accountSchema,
  agentChecklistSchema,
  currentChatbotSchema,
  settingsSchema,
  subscriptionSchema,
  usageSchema,
} from '../../../server/contracts/account'
import { chatbotSchema } from '../../../server/contracts/chatbots'
import { inboxEntrySchema } from '../../../server/contracts/inbox'
import { equals, inTest, nothing, type Row, row } from './row'
import { authorCodes, lacking } from './values'

/** Point 3: entities and their fields. */
export const entities: readonly Row[] = [
  row(
    '013b245a13',
    'user',
    inTest('server/modules/projects/account/routes.test.ts', 'every key of the account object is there'),
    inTest('server/modules/projects/account/firstSteps.test.ts', 'its answers are told to their person alone'),
  ),
  row(
    '1240241c24',
    'subscription',
    equals(
      () =>
        lacking(
          subscriptionSchema,
          'name status end_date end_date_formatted cancels_at cancels_at_formatted subscription_price plan_id price features features_list downgrade_schedule',
        ),
      [],
    ),
  ),
  row(
    '86ede798cb',
    'project',
    inTest('server/modules/projects/account/routes.test.ts', 'every key of the account object is there'),
  ),
  row(
    '96f1aad11a',
    'map of roles',
    inTest('src/api/roles.test.ts', 'any of the roles in the feature’s list allows it'),
  ),
  row('2abe8456ad', 'notices', nothing('a heading')),
  row(
    'bd64aeac1c',
    'notices of contacts and conversations',
    inTest('server/modules/projects/account/routes.test.ts', 'every key of the account object is there'),
  ),
  row(
    '5d0e67382c',
    'notices of credits',
    inTest('server/modules/projects/account/presenter.test.ts', 'each share of the credits has its switch'),
  ),
  row('47aff4fce1', 'usage', nothing('a heading')),
  row(
    'd720689fe6',
    'message credits',
    equals(() => lacking(usageSchema.shape.ai_message_credits, 'max used lifetime lifetime_used'), []),
  ),
  row(
    'fcee4458db',
    'training credits',
    equals(() => lacking(usageSchema.shape.training_credits, 'max used'), []),
  ),
  row(
    '404df3fe70',
    'training for life',
    inTest('server/modules/billing/credits.test.ts', 'what was given once to train is taken when a month’s is used up'),
    inTest('server/modules/projects/account/presenter.test.ts', 'each credit stands beside what the plan has of it'),
  ),
  row(
    '65fdae9f87',
    'further meters',
    equals(
      () => lacking(usageSchema, 'chatbots seats email_credits speech_to_text_seconds resync_credits custom_domains'),
      [],
    ),
  ),
  row(
    '58977d1639',
    'settings',
    equals(
      () =>
        lacking(
          settingsSchema,
          'onboarding_survey_completed onboarding_displayed hide_onboarding_checklist hide_v2_upgrade_announcement hide_builder_tutorial_video_popup hide_contact_variables_deprecation_popup show_feature_vote_1 default_chatbot_id',
        ),
      [],
    ),
    inTest('tests/e2e/firstSteps.long.test.ts', 'the tour is offered'),
    inTest('tests/e2e/announcements.long.test.ts', 'an upgrade is announced until it is put away'),
    inTest('tests/e2e/announcements.long.test.ts', 'variables that are named like built-in ones are announced'),
  ),
  row(
    'fce0b6e6cb',
    'chatbots of the account',
    inTest('server/modules/projects/account/routes.test.ts', 'every key of the account object is there'),
  ),
  row(
    '56617f8617',
    'domain of the widget',
    inTest('server/modules/domains/domains.test.ts', 'a domain becomes active once'),
  ),
  row(
    'c216079573',
    'API keys',
    inTest('server/modules/projects/account/routes.test.ts', 'every key of the account object is there'),
  ),
  row(
    '49ecf008ea',
    'catalogues',
    equals(() => lacking(accountSchema, 'data_source_types all_sources plans plans_detail'), []),
  ),
  row(
    '0fe5ca3d4d',
    'what else is loaded',
    equals(() => lacking(accountSchema.shape.user, 'total_conversations'), []),
  ),
  row(
    'bbe672c9ef',
    'checklist',
    equals(
      () => lacking(agentChecklistSchema, 'dismissed kb actions playground web_customization web_deploy ai_settings'),
      [],
    ),
  ),
  row('85dc7299c8', 'a heading', nothing('a heading')),
  row(
    'e110593b23',
    'ids and name',
    equals(() => lacking(chatbotSchema, 'gid egid name'), []),
  ),
  row(
    'dad30b14c2',
    'type',
    equals(() => lacking(chatbotSchema, 'type'), []),
    inTest('server/modules/chatbots/version1.test.ts', 'answers visitors from its sources'),
  ),
  row(
    'c48ab475de',
    'version',
    equals(() => lacking(chatbotSchema, 'version'), []),
    inTest('server/modules/chatbots/version1.test.ts', 'becomes an agent'),
  ),
  row(
    '1872c8d557',
    'platform',
    equals(() => lacking(chatbotSchema, 'platform_id'), []),
  ),
  row('61d20c256d', 'a heading', nothing('a heading')),
  row(
    'dc7c01ba7e',
    'business',
    equals(() => lacking(chatbotSchema, 'business_name business_description'), []),
  ),
  row(
    '625226127b',
    'visibility',
    equals(() => lacking(currentChatbotSchema, 'visibility visibility_schedules'), []),
  ),
  row(
    '2de72a08e9',
    'addresses',
    equals(() => lacking(currentChatbotSchema, 'hide_urls whitelisted_domains'), []),
  ),
  row(
    'a206f39423',
    'language',
    equals(() => lacking(currentChatbotSchema, 'interface_language'), []),
  ),
  row(
    'cbc3bfb941',
    'limits of visitors',
    inTest('server/modules/projects/account/presenter.test.ts', 'of the limits of a chatbot’s visitors'),
  ),
  row(
    '60aadd400b',
    'sharing',
    equals(() => lacking(currentChatbotSchema.shape.sharing, 'slug password auth_enabled'), []),
  ),
  row(
    'fa691abcfa',
    'AI settings',
    equals(() => lacking(currentChatbotSchema, 'instructions ai_model_id ai_language ai_temperature ai'), []),
    equals(() => lacking(currentChatbotSchema.shape.ai, 'model_id language_id temperature instructions'), []),
  ),
  row(
    '9ef9ef816d',
    'borrowed knowledge',
    equals(() => lacking(currentChatbotSchema.shape.linked_kb, 'id name'), []),
  ),
  row(
    '357bd7e879',
    'WhatsApp',
    equals(() => lacking(currentChatbotSchema, 'whatsapp_connection'), []),
  ),
  row(
    '5f42a9f571',
    'training',
    equals(() => lacking(currentChatbotSchema.shape.training_stats.shape.count, 'total'), []),
  ),
  row(
    'f3415a431e',
    'sources',
    equals(() => lacking(currentChatbotSchema.shape.data_sources, 'links faq text document'), []),
  ),
  row('cddd1683ee', 'a heading', nothing('a heading')),
  row(
    '6405ca1c36 e2ae6fcf89 b3c90dc237',
    'survey',
    equals(
      () => lacking(currentChatbotSchema.shape.satisfaction_survey, 'enabled rating follow_up resolved feedback'),
      [],
    ),
  ),
  row(
    '753a118498',
    'items of a survey',
    inTest('server/modules/conversations/survey/routes.test.ts', 'asks for what is required'),
  ),
  row('0116295c33', 'variable', inTest('src/api/variables.test.ts', 'what is sent is what the specification lists')),
  row(
    '644eaa6edd',
    'dynamic value',
    inTest('engine/values/render.test.ts', 'a dynamic value renders its parts in order'),
  ),
  row(
    '5eae724f2c',
    'language',
    equals(() => Object.keys(widgetLanguages[0] ?? {}).filter((key) => key === 'name' || key === 'code').length, 2),
  ),
  row(
    '631054f583',
    'open or closed',
    inTest('tests/e2e/inbox.test.ts', 'a closed conversation is opened by its visitor'),
  ),
  row('34146f12cc', 'a heading', nothing('a heading')),
  row('a4a0a465e4', 'codes of authors', ...authorCodes),
  row(
    '872a7df799',
    'what a message carries',
    inTest('tests/e2e/chat.test.ts', 'is drawn, whatever its kind'),
    inTest('tests/e2e/chatFeatures.test.ts', 'says whether an answer helped'),
  ),
  row('c67636b594', 'kinds of messages', inTest('tests/e2e/chat.test.ts', 'is drawn, whatever its kind')),
  row(
    '6799999823',
    'answers',
    inTest('server/modules/agents/answering/answers.test.ts', 'a question is answered as a stream'),
    inTest('blocks/ai-answer/block.test.ts', 'asks with everything rendered, says the answer and keeps it'),
    equals(() => Object.keys(aiResponseSchema.shape), ['response_source', 'stream', 'answer_not_found']),
  ),
  row('bda9849176', 'parts of messages', inTest('tests/contract/blocks.test.ts', 'its defaults are valid, plain JSON')),
  row('a49918871f', 'rich text', inTest('engine/values/render.test.ts', 'a chip becomes a text that keeps its marks')),
  row(
    'ab27387ef0',
    'debugging in the thread',
    inTest(
      'tests/e2e/debugger.long.test.ts',
      'pauses before a block with a breakpoint, which outlives the page, and goes on by a key',
    ),
  ),
  row('e045095f6b', 'colours', inTest('engine/values/colour.test.ts', 'what is written is read as the same colour')),
  row(
    'b3eceec1f5',
    'consent cookie',
    inTest('src/widget/heldStore.test.ts', 'leaves nothing in the browser before its visitor agrees'),
    inTest('src/widget/heldStore.test.ts', 'and whether the visit may be counted'),
    inTest('server/modules/conversations/chat/consentAnalytics.test.ts', 'counts unless its visitor says no'),
  ),
  row(
    'd608f6cf82',
    'lead form',
    equals(
      () => leadFields.join(' '),
      'name email phone_number company_name job_title website_url address city state country zip',
    ),
  ),
  row(
    'd703b936db 5a2fe51bf8',
    'id of the add-on',
    equals(() => addons.find(({ name }) => /brand/i.test(name))?.id, 5),
  ),
  row(
    '21348ae0f0',
    'environments',
    equals(() => inboxEntrySchema.shape.environment.options, ['production', 'sharing', 'playground', 'editor']),
    inTest('server/modules/webhooks/log.test.ts', 'only a draft’s is left out'),
  ),
  row('06956f88c4', 'inputs', inTest('tests/e2e/chat.test.ts', 'for a date takes a day')),
  row('acb5b60093', 'says what is not said', nothing('says what is not said')),
]
