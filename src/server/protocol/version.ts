// The version of what the server says. Another one where a field or a route is gone or means something else; fields, routes
// and kinds of messages are added without.
export const PROTOCOL_VERSION = 1
