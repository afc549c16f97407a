// The floor of `start`: the least a Bun process can do to answer over HTTP.
Bun.serve({ hostname: "127.0.0.1", port: Number(process.argv[2]), fetch: () => new Response("ok") });
