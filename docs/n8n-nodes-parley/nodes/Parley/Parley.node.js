/** Calls a Webhook trigger of a flow: starts a conversation, or goes on with one. */
class Parley {
  description = {
    displayName: 'Parley',
    name: 'parley',
    group: ['output'],
    version: 1,
    description: 'Calls a Webhook trigger of a Parley flow',
    defaults: { name: 'Parley' },
    inputs: ['main'],
    outputs: ['main'],
    requestDefaults: { headers: { 'Content-Type': 'application/json' } },
    properties: [
      {
        displayName: 'Operation',
        name: 'operation',
        type: 'options',
        noDataExpression: true,
        default: 'call',
        options: [
          {
            name: 'Call Trigger',
            value: 'call',
            action: 'Call a webhook trigger',
            routing: {
              request: {
                method: 'POST',
                url: '={{$parameter["address"]}}',
                body: '={{JSON.parse($parameter["body"])}}',
              },
              output: { postReceive: [{ type: 'rootProperty', properties: { property: 'data' } }] },
            },
          },
        ],
      },
      {
        displayName: 'Address',
        name: 'address',
        type: 'string',
        typeOptions: { password: true },
        default: '',
        required: true,
        description: 'Of the Webhook trigger, from its form in the builder',
      },
      { displayName: 'Body', name: 'body', type: 'json', default: '{}', required: true },
    ],
  }
}

module.exports = { Parley }
