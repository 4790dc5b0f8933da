import { bookingCaps } from '../../../engine/values/bookings'
import { caps } from '../../../engine/values/caps'
import { isPhone, parseEmail, parseNumber, parseUrl } from '../../../engine/values/rules'
import { Role } from '../../../server/access/roles'
import { projectName } from '../../../server/contracts/projects'
import { asText, equals, inSource, inTest, nothing, type Row, row } from './row'

/** Points 4 to 6: states, validation, roles. */
export const rules: readonly Row[] = [
  row(
    'c0f67b2182',
    'loaded once',
    inTest('src/api/account.test.ts', 'is loaded once the call succeeded, not again unless it has to be'),
    inTest('src/api/account.test.ts', 'is reset in its chatbot alone, or wholly'),
  ),
  row(
    '371275ea7f',
    'checklist',
    inTest('server/modules/projects/account/routes.test.ts', 'what is done for an agent is ticked where it happens'),
    inTest('tests/e2e/firstSteps.long.test.ts', 'are dismissed'),
  ),
  row('e1c3349fe4', 'a heading', nothing('a heading')),
  row(
    '562d90e7e6',
    'a domain is removed',
    inTest('server/modules/domains/builtin.test.ts', 'a domain that is removed is served no more'),
  ),
  row(
    '365b88cef1 1dcbe1fba3',
    'states of a domain',
    inTest('server/modules/domains/domains.test.ts', 'a domain becomes active once'),
  ),
  row(
    '5a8fcc6f9c 6c71db3875',
    'limit of domains',
    inTest('server/modules/domains/domains.test.ts', 'a project has as many as its plan'),
  ),
  row(
    '0f4934b0f4',
    'credits for reading again',
    inTest('server/modules/knowledge/training/training.test.ts', 'links are read again on schedule, each for a credit'),
  ),
  row(
    '051df2be70',
    'seats',
    inTest('server/modules/accounts/members/invitations.test.ts', 'the seats of the plan count members'),
  ),
  row(
    '1527af426f',
    'list of chatbots',
    inTest('tests/e2e/shell.long.test.ts', 'a chatbot is made, renamed, copied, and deleted'),
  ),
  row(
    '8a403cce61',
    'project renamed',
    inTest('tests/e2e/screens.long.test.ts', 'renames, copies and deletes a project'),
  ),
  row(
    '9e440c0b33',
    'sources deleted',
    inTest('server/modules/knowledge/knowledge.test.ts', 'what was deleted never answers again'),
  ),
  row(
    '9b9e5d846a',
    'settings of a chatbot',
    inTest('server/modules/projects/account/routes.test.ts', 'a chatbot that is named is the current one'),
  ),
  row(
    '21f8bf25ba',
    'views of versions',
    inTest('src/app/landing.test.ts', 'a chatbot of version %i opens for role %i with its %s'),
  ),
  row('8b189167d5', 'borrowed knowledge', inTest('server/access/setup.test.ts', 'a borrowed knowledge base')),
  row(
    '864461e22f 01ef9a953b c6feeacf43',
    'set up',
    inTest('server/access/setup.test.ts', 'a chatbot answers by itself once it has a source'),
  ),
  row(
    'ffb7ce916f',
    'training',
    inTest('server/modules/knowledge/training/training.test.ts', 'a page is trained; a dead link says so'),
  ),
  row(
    '39e29bdc6d',
    'stream of an answer',
    inTest('server/modules/agents/answering/answers.test.ts', 'a question is answered as a stream'),
  ),
  row(
    '314d034e28',
    'closed and opened',
    inTest('tests/e2e/inbox.test.ts', 'a closed conversation is opened by its visitor'),
  ),
  row('df4bbf059b', 'ratings of answers', inTest('tests/e2e/chatFeatures.test.ts', 'says whether an answer helped')),
  row('21fa623a0b', 'states of buttons', inSource('src/ui/Button.tsx', 'loading?: boolean')),
  row(
    'f766baa40d 7cd6c8c61b 70ed40d5b2',
    'failed chunks',
    inTest('src/app/chunkReload.test.ts', 'a failed chunk reloads the page, at most once in 60 seconds'),
  ),
  row('c17bc70cef c684153ee5', 'notifications', inSource('src/ui/UiProvider.tsx', 'NOTICE_SECONDS = 8')),
  row('b254864ca0', 'says what is not said', nothing('says what is not said')),
  row('b98d030f9a', 'name of a variable', asText('text:variables.nameEmpty', 'Variable name cannot be empty')),
  row(
    '400cffbec7 c3789fc48b',
    'names of variables',
    inTest('server/modules/flows/variables/variables.test.ts', 'names'),
  ),
  row('78f116a1a4', 'no id', inTest('server/modules/flows/variables/variables.test.ts', 'names')),
  row('c54378a7e6', 'no selection', inTest('server/modules/flows/variables/variables.test.ts', 'deleting')),
  row(
    '838573c097',
    'name of a project',
    equals(() => projectName.safeParse(' ').success, false),
  ),
  row('518f993898', 'API key', inTest('tests/e2e/shell.long.test.ts', 'an API key is made, shown once')),
  row(
    'af15e89a05 0653cdef68',
    'values with variables',
    inTest(
      'engine/values/rules.test.ts',
      'a rule is not applied to a value that holds a variable, a cap counts its text parts alone',
    ),
  ),
  row('890def8106', 'a table', nothing('a heading')),
  row(
    '369b1f6a5e 920d6aebca 899c2e6fbe 85bff90a96 04a1f39443 dc066235cc e9291ec70c e70757abe8',
    'rules of fields',
    inTest('engine/values/rules.test.ts', 'the messages are those of the specification'),
  ),
  row(
    'b3a2ba7157',
    'email',
    equals(() => [' a@b.co ', 'a@b.c', 'a@b', ''].map((text) => parseEmail(text)), ['a@b.co', null, null, null]),
  ),
  row(
    'd84a56b437',
    'phone',
    equals(() => ['+49 30-12345', '++4930123', '12 34 5', '(030) 1234'].map(isPhone), [true, false, false, false]),
  ),
  row(
    'd746ad061d',
    'number',
    equals(() => [' 007 ', 'x', '1000000000'].map((text) => parseNumber(text)), [7, null, null]),
    equals(() => parseNumber('1.5', { integer: true }), null),
  ),
  row('82aee23e84', 'a heading', nothing('a heading')),
  row(
    'ea2a3612b0 f76da0dfe9 59cacbdad1 f86271dfe3',
    'addresses',
    equals(
      () =>
        ['https://a.example', 'mailto:a@b.co', 'https://a', 'http://localhost', 'https://*.a.example'].map(
          (text) => parseUrl(text) !== null,
        ),
      [true, false, false, false, false],
    ),
    equals(() => parseUrl('http://localhost', { localhost: true }) !== null, true),
    equals(
      () => ['https://*.a.example', 'https://*.*.a.example'].map((text) => parseUrl(text, { wildcard: true }) !== null),
      [true, false],
    ),
  ),
  row(
    'ea6d09f38d',
    'booking link',
    inTest('engine/values/rules.test.ts', 'a booking link of booking.example: %j -> %j'),
    inTest(
      'tests/e2e/calendly.long.test.ts',
      'an owner connects Calendly, chooses what can be booked, and visitors book in the chat and on its page',
    ),
  ),
  row('a890039f4f', 'a heading', nothing('a heading')),
  row(
    '4034219f95 b2dc428709 bb98a2e5c2',
    'input of an agent',
    inTest('engine/values/entryRules.test.ts', 'an agent’s variable input'),
    inTest('engine/values/agentActions.test.ts', 'the mail of an action is refused with the texts of an agent’s input'),
  ),
  row(
    'f1b4b7646d',
    'lead form',
    inTest('engine/values/entryRules.test.ts', 'the messages of a visitor’s form are those of the specification'),
  ),
  row(
    '4c59e49183',
    'required and optional',
    inTest('tests/e2e/chat.test.ts', 'of many fields says at each what is wrong'),
  ),
  row('fafbe9d33f', 'a heading', nothing('a heading')),
  row(
    '186d910e11',
    'subject of a mail',
    equals(() => caps.mailSubject, 988),
  ),
  row(
    '7814e6c2f4',
    'address of a mail',
    equals(() => caps.mailAddress, 255),
  ),
  row(
    '4f628f82de',
    'value',
    equals(() => caps.setVariable, 3_000),
  ),
  row(
    'd733aaa26a',
    'requester',
    equals(() => caps.requester, 255),
  ),
  row(
    'ed5386463a',
    'booking',
    equals(() => bookingCaps.name, 255),
  ),
  row(
    'a992e21514',
    'phone of a booking',
    equals(() => bookingCaps.phone, 35),
  ),
  row(
    'f50b3cf451',
    'choice',
    equals(() => caps.formChoice, 255),
  ),
  row(
    '25d9216d95',
    'subject of a ticket',
    equals(() => caps.ticketSubject, 255),
  ),
  row(
    'ad3ffc6ee7',
    'phone',
    equals(() => caps.phone, 20),
  ),
  row('d7a4c42e5f', 'says what is not said', nothing('says what is not said')),
  row('b22c02adf8 7e2ead3198', 'a heading', nothing('a heading')),
  row(
    'd1ae344f40 bf1d942f31 32bae3bc25 78282a77f9 05662ecd5d aecc82c100',
    'roles',
    equals(() => Role, { OWNER: 1, ADMIN: 2, EDITOR: 3, ANALYST: 4, BILLING: 5, VIEWER: 6 }),
  ),
  row('f2ba1a4582', 'several roles', inTest('server/access/roles.test.ts', 'any one of several roles is enough')),
  row('0d75af8434', 'access', inTest('src/api/roles.test.ts', 'no role, no map, no entry: denied')),
  row(
    '91938ca6e8 002b60b648 d5fec70604 dd4bb67444 90c75328d8',
    'landing',
    inTest('server/access/roles.test.ts', 'every role may see the screen that it lands on'),
  ),
  row(
    '1162a07491',
    'landing of viewers',
    inTest('src/app/landing.test.ts', 'of a project without chatbots land on their list'),
    inTest('src/app/landing.test.ts', 'a viewer of a chatbot of version 1 lands on its testing view'),
  ),
  row('0cbfc04450', 'guest pages', inTest('tests/e2e/shell.long.test.ts', 'who is logged in is sent from guest pages')),
  row(
    '202d1ef62d',
    'plans',
    inTest('server/access/plans.test.ts', 'a plan that nobody knows is the free one'),
    inTest('tests/e2e/insights.long.test.ts', 'blurs the charts where the plan has basic analytics alone'),
    inTest('tests/e2e/billing.long.test.ts', 'compares the plans, in as many columns as there is room for'),
  ),
  row('37bb4f106b', 'unauthorized', inTest('tests/e2e/shell.long.test.ts', 'a viewer is told what he may not see')),
  row('764f779800', 'says what is not said', nothing('says what is not said')),
]
