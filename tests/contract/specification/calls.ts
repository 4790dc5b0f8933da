import { dashboard, updateAgentChecklist, updateSettings } from '../../../server/contracts/account'
import { asText, equals, inSource, inTest, nothing, type Row, row } from './row'

/** Points 7 and 8: calls, and the words of errors. */
export const calls: readonly Row[] = [
  row(
    '998596d64f',
    'credentials',
    inTest('src/api/client.test.ts', 'a call sends path, query and body with the XSRF token'),
  ),
  row('390cf5149b', 'form of answers', inTest('src/api/client.test.ts', 'a response without the success flag is 2018')),
  row('560a2a1b4a', 'a table', nothing('a heading')),
  row(
    '28c0b9f9b4',
    'account',
    equals(() => `${dashboard.method} ${dashboard.path}`, 'POST /api/dashboard'),
    inTest('server/modules/projects/account/routes.test.ts', 'every key of the account object is there'),
  ),
  row(
    '28b2af6c3f',
    'settings',
    equals(() => `${updateSettings.method} ${updateSettings.path}`, 'POST /api/user/update/settings'),
    inTest('server/modules/projects/account/routes.test.ts', 'settings change where they are given'),
  ),
  row(
    'c33852e488',
    'checklist',
    equals(
      () => `${updateAgentChecklist.method} ${updateAgentChecklist.path}`,
      'POST /api/projects/agent-onboarding-checklist',
    ),
    inTest('server/modules/projects/account/routes.test.ts', 'checklist items ticked at once are all ticked'),
  ),
  row(
    '5cc5842fb2 602367a5e2 b6af7be019',
    'variables',
    inTest('src/api/variables.test.ts', 'what is sent is what the specification lists'),
  ),
  row('e12c4e190b', 'cookie', inTest('src/api/client.test.ts', 'an expired XSRF token is fetched again, once')),
  row(
    '275c91dfe3 6b6d897c32 730083c9bf',
    'log-in',
    inTest('server/modules/accounts/auth/routes.test.ts', 'logging in and out'),
  ),
  row('94d14958ed', 'a heading', nothing('a heading')),
  row(
    '2f30b5ee55 4627623934',
    'account object',
    inTest('server/modules/projects/account/routes.test.ts', 'every key of the account object is there'),
  ),
  row('33799a3613', 'a heading', nothing('a heading')),
  row(
    '0967571e19',
    'log-out',
    inTest('tests/e2e/shell.long.test.ts', 'a log out that fails says so; one that works leads to the login page'),
  ),
  row('e33f63749c', 'download', inSource('src/ui/downloadBlob.ts', 'Blob')),
  row(
    '3b2153f109',
    'storage bases',
    inTest('server/platform/http/storageUrl.test.ts', 'storage %s with %j is at %s'),
    inTest('server/platform/http/storageUrl.test.ts', 'visitors load uploads from the CDN'),
  ),
  row('53598805ea', 'other services', nothing('is about other services')),
  row(
    'fd0805a231',
    'no response',
    asText('app:errors.noResponse', 'A problem occurred, please refresh the page. (Code: 2011)'),
    inTest('src/api/client.test.ts', 'no response is 2011'),
  ),
  row(
    '52fbe53705',
    'no data',
    asText('app:errors.noData', 'A problem occurred, please refresh the page. (Code: 2012)'),
  ),
  row(
    '7a8670bc9c',
    'no flag',
    asText('app:errors.noSuccess', 'A problem occurred, please refresh the page. (Code: 2018)'),
    inTest('src/api/client.test.ts', 'a response without the success flag is 2018'),
  ),
  row(
    'b5bddc2ba7',
    'passed on',
    inTest('src/api/client.test.ts', 'the server’s own message, code and fields are passed on'),
  ),
  row(
    '07d5004016',
    'account without data',
    asText('app:errors.dashboardNoData', 'Problem loading your account, please refresh the page. (Code: 2005)'),
  ),
  row(
    '22f9ec18ce 62c1403b28',
    '401',
    asText('app:errors.dashboardUnauthenticated', 'Authentication failed, please login. (Code: 2006)'),
  ),
  row(
    'cd4210aaae',
    'another status',
    asText(
      'app:errors.dashboardStatus',
      'Problem loading your account. Go to the login page for authentication. (Code: 2007)',
    ),
  ),
  row(
    '5c5b622755',
    'no response',
    asText('app:errors.dashboardNoResponse', 'Problem loading your account, please refresh the page. (Code: 2008)'),
  ),
  row(
    'd4b4494430',
    'settings refused',
    asText('app:errors.settingsStatus', 'Error updating settings, please retry. (Code: 2314)'),
    inSource('src/api/settings.ts', "code: '2314'"),
  ),
  row(
    '30420cafe9',
    'settings without response',
    asText('app:errors.settingsNoResponse', 'Error updating settings, please retry. (Code: 2315)'),
    inSource('src/api/settings.ts', "code: '2315'"),
  ),
  row('5223844fc4', 'a heading', nothing('a heading')),
  row(
    'abe40d06cc',
    'variable not there',
    asText('variables:errors.createFailed', 'Failed to create variable, please retry.'),
  ),
  row('19cdbb35ba', 'no words', asText('variables:errors.unknown', 'Unknown error occurred')),
  row('d8338d1a30', 'variable, 401', asText('variables:errors.unauthenticated', 'unauthenticated')),
  row('beb3c6c341', 'too many', inTest('src/api/client.test.ts', '429 has its own text')),
  row('38612c88ed', 'variable, other', asText('variables:errors.creating', 'Error creating variable, please retry.')),
  row(
    '3b8bb4f4c7',
    'variable saved',
    asText('variables:errors.saving', 'Error saving variable, please retry.'),
    inTest('src/api/variables.test.ts', 'renaming and deleting fail in their own words'),
  ),
  row('da45d6d8f7', 'variable deleted', asText('variables:errors.deleting', 'Error deleting variable, please retry.')),
  row(
    '664736489e',
    '429',
    asText('app:errors.tooMany', "You're sending too many requests! Please retry after one minute."),
  ),
  row('1651ae1644', 'logged out', asText('app:errors.unauthenticated', 'You are not authenticated. Please login.')),
  row(
    '2716cf83ee',
    'log-out fails',
    asText('app:errors.logout', 'There was a problem signing out, please retry.'),
    inTest('src/api/client.test.ts', 'a log out that fails says so'),
  ),
  row(
    'ebdaf16dda',
    'set-up missing',
    asText('answers:gate.both', 'Please complete the following to setup the chatbot'),
  ),
  row(
    '8ee9890a6a',
    'no source',
    asText('answers:gate.sources.alone', 'You need to add at least one data source before you can test the chatbot.'),
  ),
  row(
    '05962316e1',
    'no details',
    asText(
      'answers:gate.details.alone',
      'You need to add the basic chatbot details before you can test it. Go to Chatbot Settings > General to complete it.',
    ),
  ),
  row('c1745a6616', 'download fails', asText('exports:failedDownload', 'Failed to download file')),
  row(
    '615a7a0db8',
    'unknown guard',
    asText('app:errors.unknownGuard', 'Unknown middleware'),
    inTest('src/app/guards.test.ts', 'a guard that there is not closes its screens with status 500'),
  ),
  row('7934af4fbf', 'not found', asText('app:screens.notFound', 'This page could not be found')),
  row(
    'fa11cab806',
    'default status',
    inSource('src/app/ErrorPage.tsx', 'status ?? 500'),
    asText('app:errors.message', 'An error occured!'),
  ),
  row('874b529aec', 'dropzone', inTest('tests/e2e/dataSources.long.test.ts', 'what is wrong with them is said')),
  row('cf6a7c5fb2', 'says what is not said', nothing('says what is not said')),
]
